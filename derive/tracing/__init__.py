"""Closed forms out of the real implementations of transformers (extra `trace`).

    sampling → building (configurations, stand_ins, traced) → learning (explaining: fitting, deciding) → defaults → proving

Random valid configurations are built without memory, their sizes replaced by numbers that remember how they were worked out;
lengths are read from them, the layers that have a tensor and the rules that complete a configuration are learned, and the form is
proved on fresh configurations.
"""
