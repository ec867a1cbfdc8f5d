// A box that scrolls is a region within reach of a keyboard; one that does not is neither.
(function () {
  var boxes = Array.from(document.querySelectorAll("[role=region]"), function (box) {
    return { box: box, label: box.getAttribute("aria-label") };
  });
  function fit() {
    boxes.forEach(function (each) {
      var given = { role: "region", "aria-label": each.label, tabindex: "0" }, scrolls = each.box.scrollWidth > each.box.clientWidth + 1;
      Object.keys(given).forEach(function (name) {
        if (scrolls) each.box.setAttribute(name, given[name]);
        else each.box.removeAttribute(name);
      });
    });
  }
  addEventListener("resize", fit);
  addEventListener("load", fit);
  fit();
})();
