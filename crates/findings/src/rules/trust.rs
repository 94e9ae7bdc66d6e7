//! Whether users can trust the definitions of tools.

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
}
