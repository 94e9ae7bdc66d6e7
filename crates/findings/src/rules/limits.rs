//! What was not read or not kept because there was too much of it.

rules! {
    MORE_FINDINGS = "more-findings", Info, "There are {count} more findings, which are not kept.";
    LIST_TOO_LONG = "list-too-long", Warning,
        "The list has more than {limit} items; the rest was not read.";
    LIST_TOO_LARGE = "list-too-large", Warning,
        "The items of the list take more than {limit} MiB; the rest was not read.";
    TOO_MANY_ARGUMENTS = "too-many-arguments", Warning,
        "The prompt has {count} arguments; the first {limit} were read.";
    ID_TOO_LONG = "id-too-long", Warning,
        "The `id` has {size} bytes; Sonde responds to requests whose `id` has {limit} at most.";
}
