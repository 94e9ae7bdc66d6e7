//! Characters that show nothing.

/// True for a character that shows nothing where `before` stands before it. Characters that scripts and emoji need
/// (joiners, marks of direction, one variation selector after a character) do not count.
#[must_use]
pub fn shows_nothing(before: char, one: char) -> bool {
    match one {
        '\u{AD}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{2060}'..='\u{2064}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{E0000}'..='\u{E007F}' => true,
        // Emoji have these, and no character has two.
        '\u{FE00}'..='\u{FE0F}' => is_selector(before),
        // Forms of ideographs.
        '\u{E0100}'..='\u{E01EF}' => !is_ideograph(before),
        _ => false,
    }
}

fn is_selector(one: char) -> bool {
    matches!(one, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

fn is_ideograph(one: char) -> bool {
    matches!(one, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
