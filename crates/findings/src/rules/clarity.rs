//! Clarity of definitions for a model.

rules! {
    VAGUE_DESCRIPTION = "vague-description", Info (Heuristic),
        "The description says no more than the name.",
        why: "A model decides by the description when to use the tool.",
        fix: "Say what the tool does, and when to use it.",
        group: Clarity;
    DUPLICATE_DESCRIPTION = "duplicate-description", Info (Heuristic),
        "The tool {other} has the same description.",
        why: "A model cannot tell from their descriptions which of the tools to use.",
        fix: "Say in each description what the tool does that the other does not.",
        group: Clarity;
    ALIKE_NAMES = "alike-names", Info (Heuristic),
        "The name has the same words, or words of the same meaning, as that of the tool {other}.",
        why: "A model mistakes one for the other.",
        fix: "Give the tools names that say how they differ.",
        group: Clarity;
    UNDESCRIBED_PARAMETER = "undescribed-parameter", Info (Heuristic),
        "Required parameters without a description: {count}. The first is {name}.",
        why: "A model has to guess from the name what to write.",
        fix: "Describe each required parameter.",
        group: Clarity;
    UNDEFINED_REQUIRED = "undefined-required", Warning (Heuristic),
        "`required` names what `properties` does not define.",
        why: "A model has to give a parameter of which it knows nothing but the name, and some hosts drop it.",
        fix: "Define each property that `required` names, or take its name out.",
        group: Clarity;
    DISPATCHER_PARAMETER = "dispatcher-parameter", Info (Heuristic),
        "The parameter {name} seems to say what the tool does, and can be any text.",
        why: "A model cannot know which values there are, and no host can tell a read from a write.",
        fix: "List the values in an `enum`, or offer a tool for each.",
        group: Clarity;
    READS_BY_NAME = "reads-by-name", Info (Heuristic),
        "By its name the tool reads ({verb}), and its hint says that it is destructive.",
        why: "Hosts ask the user to confirm what is destructive.",
        fix: "Correct `destructiveHint`, or the name.",
        group: Clarity;
    CHANGES_BY_NAME = "changes-by-name", Warning (Heuristic),
        "By its name the tool changes something ({verb}), and its hint says that it is read-only.",
        why: "Hosts run what is read-only without asking the user.",
        fix: "Correct `readOnlyHint`, or the name.",
        group: Clarity;
}
