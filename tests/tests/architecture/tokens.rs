//! Tokens of Rust sources, as far as finding imports needs them.

/// A piece of source text. Numbers, lifetimes and comments are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// An identifier or a keyword.
    Word(String),
    /// `::`.
    Path,
    /// Any other single character.
    Sign(char),
    /// Content of a string literal, as written.
    Text(String),
}

impl Token {
    pub(crate) fn is(&self, word: &str) -> bool {
        matches!(self, Token::Word(own) if own == word)
    }
}

/// Splits a file into tokens.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let rest = &chars[at..];
        at += match rest {
            ['/', '/', ..] => rest.iter().take_while(|one| **one != '\n').count(),
            ['/', '*', ..] => block_comment(rest),
            ['\'', ..] => quote(rest),
            ['"', ..] => text(rest, 0, &mut tokens),
            ['b' | 'c', '"', ..] => text(rest, 1, &mut tokens),
            ['r', '"' | '#', ..] if is_raw(&rest[1..]) => raw(rest, 1, &mut tokens),
            ['b' | 'c', 'r', '"' | '#', ..] if is_raw(&rest[2..]) => raw(rest, 2, &mut tokens),
            [':', ':', ..] => {
                tokens.push(Token::Path);
                2
            }
            [one, ..] if one.is_alphabetic() || *one == '_' => {
                let word: String = rest.iter().take_while(|one| is_word(**one)).collect();
                let length = word.chars().count();
                tokens.push(Token::Word(word));
                length
            }
            // A number, suffix included.
            [one, ..] if one.is_ascii_digit() => {
                rest.iter().take_while(|one| is_word(**one)).count()
            }
            [one, ..] => {
                if !one.is_whitespace() {
                    tokens.push(Token::Sign(*one));
                }
                1
            }
            [] => break,
        };
    }
    tokens
}

fn is_word(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// Returns the length of a comment; comments nest.
fn block_comment(rest: &[char]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < rest.len() {
        match &rest[at..] {
            ['/', '*', ..] => (at, depth) = (at + 2, depth + 1),
            ['*', '/', ..] if depth == 1 => return at + 2,
            ['*', '/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    at
}

/// Returns the length of a character literal, or of the quote of a lifetime.
fn quote(rest: &[char]) -> usize {
    match rest {
        [_, '\\', _, ..] => 3 + rest[3..].iter().take_while(|one| **one != '\'').count() + 1,
        [_, _, '\'', ..] => 3,
        _ => 1 + rest[1..].iter().take_while(|one| is_word(**one)).count(),
    }
}

fn text(rest: &[char], prefix: usize, tokens: &mut Vec<Token>) -> usize {
    let begin = prefix + 1;
    let mut at = begin;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    let end = at.min(rest.len());
    tokens.push(Token::Text(rest[begin..end].iter().collect()));
    end + 1
}

fn is_raw(rest: &[char]) -> bool {
    let hashes = rest.iter().take_while(|one| **one == '#').count();
    rest.get(hashes) == Some(&'"')
}

fn raw(rest: &[char], prefix: usize, tokens: &mut Vec<Token>) -> usize {
    let hashes = rest[prefix..].iter().take_while(|one| **one == '#').count();
    let begin = prefix + hashes + 1;
    let mut at = begin;
    while at < rest.len() {
        let closes = rest[at] == '"' && rest[at + 1..].iter().take(hashes).all(|one| *one == '#');
        if closes {
            break;
        }
        at += 1;
    }
    let end = at.min(rest.len());
    tokens.push(Token::Text(rest[begin..end].iter().collect()));
    end + 1 + hashes
}

/// Removes tokens that are compiled only for tests.
pub(crate) fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if is_test_attribute(&tokens[at..]) {
            at = end_of_item(&tokens, at + 7);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// True if the tokens begin with `#[cfg(test)]`.
fn is_test_attribute(tokens: &[Token]) -> bool {
    matches!(
        tokens,
        [
            Token::Sign('#'),
            Token::Sign('['),
            cfg,
            Token::Sign('('),
            test,
            Token::Sign(')'),
            Token::Sign(']'),
            ..
        ] if cfg.is("cfg") && test.is("test")
    )
}

/// Returns the position after the semicolon or the closing brace of the item that begins here.
fn end_of_item(tokens: &[Token], begin: usize) -> usize {
    let (mut at, mut depth) = (begin, 0);
    while at < tokens.len() {
        match tokens[at] {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign(')' | ']') => depth -= 1,
            Token::Sign('}') if depth == 1 => return at + 1,
            Token::Sign('}') => depth -= 1,
            Token::Sign(';') if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

#[test]
fn what_is_no_code_is_left_out() {
    let source = r##"
        // use a::b;
        /* use /* c */ d; */
        use e::{f, r#"x\"#}; let g: &'h str = "use \" i"; 'j' '\'' '\u{1F600}' 0x1f_u8
        #[cfg(test)]
        mod k { use l; }
        m
    "##;
    let words: Vec<_> = without_tests(tokens(source))
        .into_iter()
        .filter_map(|token| match token {
            Token::Word(word) => Some(word),
            Token::Text(text) => Some(format!("<{text}>")),
            Token::Path | Token::Sign(_) => None,
        })
        .collect();
    let expected = [
        "use",
        "e",
        "f",
        r"<x\>",
        "let",
        "g",
        "str",
        r#"<use \" i>"#,
        "m",
    ];
    assert_eq!(words, expected);
}
