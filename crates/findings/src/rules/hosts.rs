//! Demands of hosts beyond the protocol. The data comes from the crate `lint`.

rules! {
    HOST_NAME_CHARACTERS = "host-name-characters", Warning,
        "The name contains {found}, which is not accepted by: {hosts}.",
        why: "These hosts leave the tool out, or the whole request with all tools fails.",
        fix: "Use letters, digits, `_` and `-` in the names of tools.",
        group: Hosts;
    HOST_NAME_LENGTH = "host-name-length", Warning,
        "The name, with what hosts put before it, is too long for: {hosts}.",
        why: "These hosts leave the tool out, or the whole request with all tools fails.",
        fix: "Keep the names of tools at 40 characters or less, and the name of the server short.",
        group: Hosts;
    HOST_ROOT_KEYWORD = "host-root-keyword", Warning,
        "The input schema has {found} at its root, which is not accepted by: {hosts}.",
        why: "The APIs of models refuse the whole request, so one such tool makes all tools unusable.",
        fix: "Describe the parameters in `properties` of one object, and move the combination into one of them.",
        group: Hosts;
    HOST_ROOT_TYPE = "host-root-type", Warning,
        "The root of the input schema is {found}, which is not accepted by: {hosts}.",
        why: "The APIs of models take the arguments as an object.",
        fix: "Write `\"type\": \"object\"` at the root of the input schema.",
        group: Hosts;
    HOST_ARRAY_WITHOUT_ITEMS = "host-array-without-items", Warning,
        "An array of the input schema has no `items`, which is not accepted by: {hosts}.",
        why: "These hosts refuse the schema, or the whole request with all tools.",
        fix: "Say in `items` what the array has in it.",
        group: Hosts;
    HOST_BOOLEAN_SCHEMA = "host-boolean-schema", Warning,
        "The schema of a parameter is only `true` or `false`, which is not accepted by: {hosts}.",
        why: "These hosts read each schema as an object, and refuse the tool.",
        fix: "Write an object, such as `{}` or `{\"type\": \"string\"}`, as the schema of each parameter.",
        group: Hosts;
    HOST_NOT_DRAFT_07 = "host-not-draft-07", Warning,
        "The input schema is not valid in draft-07 ({found}), which is demanded by: {hosts}.",
        why: "These hosts leave out tools whose schema is not valid in draft-07.",
        fix: "Keep to what draft-07 and 2020-12 have in common.",
        group: Hosts;
    HOST_PARAMETER_NAME = "host-parameter-name", Warning,
        "The name of the parameter {found} is not accepted by: {hosts}.",
        why: "The model cannot be offered this parameter.",
        fix: "Name parameters with letters, digits and `_`, in 64 characters or less.",
        group: Hosts;
    HOST_EMPTY_DESCRIPTION = "host-empty-description", Warning,
        "The description is empty, which is not accepted by: {hosts}.",
        why: "The whole request fails, with all tools in it.",
        fix: "Describe what the tool does, or leave the description out.",
        group: Hosts;
    HOST_TOO_MANY_TOOLS = "host-too-many-tools", Warning,
        "The server has {count} tools, more than are accepted by: {hosts}.",
        why: "These hosts count the tools of all servers together, so a part of them cannot be used.",
        fix: "Offer fewer tools, or let the user choose which ones.",
        group: Hosts;
    HOST_RESULT_SIZE = "host-result-size", Info,
        "The result has {count} characters, more than reach the model in: {hosts}.",
        why: "These hosts cut such a result or put it into a file, so the model does not see all of it.",
        fix: "Keep results short, or give them out page by page.",
        group: Hosts;
    MAY_FAIL_IN_HOST = "may-fail-in-host", Info (Heuristic),
        "{found} According to second-hand or contradictory reports, this does not work in: {hosts}.",
        why: "Some users of the server may not be able to use the tool.",
        fix: "Try the server in these hosts.",
        group: Hosts;
}
