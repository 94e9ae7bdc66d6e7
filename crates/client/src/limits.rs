//! Limits of the texts of a server that are shown at once.
//!
//! A text that is cut ends with `…`; all of it is in the wire log, and the whole of results, errors, definitions,
//! instructions, capabilities and the `_meta` beside them is in a document. The limits of reading and keeping are in
//! `sonde_mcp::limits` and `sonde_record`.

use crate::{
    log::WireLog,
    text::{cut, cut_bytes},
};

/// Characters of a name, a version, a media type.
pub const NAME: usize = 256;
/// Characters of a text on one line: a URI, a title, a key.
pub const LINE: usize = 1_000;
/// Characters of the URI of a link or a resource in a result: signed URLs of storage services are long.
pub const RESULT_URI: usize = 8 * 1024;
/// Characters of a message: an error, why something failed.
pub const MESSAGE: usize = 4_000;
/// Bytes of a longer text: a description, instructions, capabilities, `_meta`.
pub const TEXT: usize = 64 * 1024;
/// Bytes of instructions, of capabilities and of the `_meta` beside them that are kept to be read whole in a document.
pub const INTRODUCTION: usize = 4 * 1024 * 1024;
/// Bytes of all `data:` URIs that are shown as pictures of one object's icons.
pub const ICON_PICTURES: usize = 64 * 1024;
/// Pixels of each side of an icon's picture.
pub const ICON_SIDE: u32 = 1024;
/// Bytes of an icon that is fetched.
pub const ICON_FILE: usize = 256 * 1024;
/// Seconds for fetching an icon.
pub const ICON_SECONDS: u64 = 10;
/// Icons that are fetched in one connect.
pub const ICON_FILES: usize = 200;
/// Bytes of all icons fetched in one connect.
pub const ICON_FILE_BYTES: usize = 4 * 1024 * 1024;
/// Sizes of one icon that are shown.
pub const ICON_SIZES: usize = 10;
/// Bytes of a definition and of a schema.
pub const DEFINITION: usize = 1024 * 1024;
/// Headers kept of a sign-in request, and of its response.
pub const SIGN_IN_HEADERS: usize = 100;
/// Characters of each header of a sign-in request, and of its address.
pub const SIGN_IN_HEADER: usize = 8 * 1024;
/// Bytes kept of all sign-in requests and responses of a server; the oldest lose their headers and bodies.
pub const SIGN_IN_BYTES: usize = 1024 * 1024;
/// Look-ahead beyond the cut, in characters, so that a secret split by it is still redacted.
const AHEAD: usize = 4_096;

/// Cuts a text to this many bytes, with a mark if there were more.
#[must_use]
pub fn cut_text(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    format!("{}…", cut_bytes(text, longest))
}

/// Hides secrets in a text of a server and cuts it to this many characters.
#[must_use]
pub fn redact_and_cut(text: &str, longest: usize, log: &WireLog) -> String {
    let mut text = cut(text, longest + AHEAD);
    log.hide(&mut text);
    cut(&text, longest)
}
