// The contents stand open on wide screens, and show the headings that have every word that is looked for.
(function () {
  var contents = document.getElementById("contents"), form = contents.querySelector("form");
  var field = form.querySelector("input"), status = form.querySelector("[role=status]");
  var lines = Array.from(contents.querySelectorAll("li")), hits = [];
  var wide = matchMedia("(min-width: 64rem)"), first = document.body.classList.contains("index");

  function plain(text) { return text.normalize("NFKC").toLowerCase(); }
  function words(line) { return plain(line.querySelector("a").textContent); }
  function found(line, wanted) {
    var chapter = line.parentElement.closest("li"), own = words(line), all = chapter ? words(chapter) + " " + own : own;
    return wanted.every(function (word) { return all.includes(word); }) && wanted.some(function (word) { return own.includes(word); });
  }
  function search() {
    var wanted = plain(field.value).split(/\s+/).filter(Boolean), searching = wanted.length > 0;
    hits = searching ? lines.filter(function (line) { return found(line, wanted); }) : [];
    lines.forEach(function (line) { line.hidden = searching && !hits.some(function (hit) { return line.contains(hit); }); });
    contents.classList.toggle("searching", searching);
    status.textContent = searching && !hits.length ? status.dataset.nothing : "";
  }
  function fit() { contents.open = wide.matches || first; }

  form.hidden = false;
  field.addEventListener("input", search);
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    if (hits.length) hits[0].querySelector("a").click();
  });
  wide.addEventListener("change", fit);
  fit();
  search();
})();
