//! Trust of users in the definitions of tools and in the server's description of itself.

rules! {
    SECRET_IN_DEFINITION = "secret-in-definition", Warning (Heuristic),
        "The definition seems to contain {kind}.",
        why: "Whoever lists the tools, and each model that is given them, sees it.",
        fix: "Take it out of the definition, and replace the secret.",
        group: Trust;
    NAMES_OTHER_TOOL = "names-other-tool", Warning (Heuristic),
        "The description names {other}, a tool of the server {server}.",
        why: "A description can make a model use the tools of another server differently.",
        fix: "Describe only what this server does.",
        group: Trust;
    LOOKS_LIKE_OTHER_TOOL = "looks-like-other-tool", Warning (Heuristic),
        "The name looks like {other}, a tool of the server {server}, and is another.",
        why: "Users and models take one for the other.",
        fix: "Give the tool a name that looks different.",
        group: Trust;
    DEFINITION_CHANGED = "definition-changed", Warning,
        "The definition is not the one that was accepted on {accepted}: {parts} changed, first seen on {seen}.",
        why: "A server can change a tool after its user trusted it (a “rug pull”), and models follow the new definition.",
        fix: "Review what changed, and accept it if the server is meant to say this.",
        group: Trust;
    INSTRUCTIONS_CHANGED = "instructions-changed", Warning,
        "The instructions of the server are not those that were accepted on {accepted}, first seen on {seen}.",
        why: "Models are given the instructions, and a server can change them after its user trusted it.",
        fix: "Review what changed, and accept it if the server is meant to say this.",
        group: Trust;
    DEFINITION_NOT_KEPT = "definition-not-kept", Info,
        "A change of this definition will not be noticed, as {why}.",
        why: "A tool that changes after its user trusted it is noticed only where its definition is kept.",
        fix: "Shorten the definition, or offer fewer tools.",
        group: Trust;
}
