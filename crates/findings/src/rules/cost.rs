//! Cost of definitions for a model. The crate `lint` estimates the tokens.

rules! {
    COSTLY_LIST = "costly-list", Info (Heuristic),
        "The tools take about {tokens} tokens, {share} % of a context of {context}.",
        why: "Each conversation pays for the definitions of all tools, and models choose worse among many.",
        fix: "Shorten descriptions and schemas, or offer fewer tools.",
        group: Cost;
    LARGE_DEFINITION = "large-definition", Info (Heuristic),
        "The definition takes about {tokens} tokens.",
        why: "Each conversation pays for the definitions of all tools.",
        fix: "Shorten descriptions and the schema.",
        group: Cost;
    BOILERPLATE_DESCRIPTION = "boilerplate-description", Info (Heuristic),
        "The description begins with words that say nothing: {text}.",
        why: "Each conversation pays for them, and hosts that cut descriptions keep them.",
        fix: "Begin with what the tool does.",
        group: Cost;
}
