//! Tokens of Rust sources, as far as finding imports needs them.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A piece of source text. Numbers, lifetimes and comments are left out.
#[derive(Debug, PartialEq, Eq)]
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

/// Splits a file into tokens, without those that are compiled only for tests.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    read(source.parse().unwrap(), &mut tokens);
    tokens
}

fn read(stream: TokenStream, tokens: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(word) => tokens.push(Token::Word(word.to_string())),
            TokenTree::Literal(literal) => {
                let literal = literal.to_string();
                let text = literal
                    .trim_start_matches(['b', 'c', 'r'])
                    .trim_matches('#');
                if text.starts_with('"') {
                    tokens.push(Token::Text(text[1..text.len() - 1].to_owned()));
                }
            }
            TokenTree::Group(group) => {
                let (begin, end) = match group.delimiter() {
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::Parenthesis | Delimiter::None => ('(', ')'),
                };
                tokens.push(Token::Sign(begin));
                read(group.stream(), tokens);
                tokens.push(Token::Sign(end));
            }
            TokenTree::Punct(sign) => match (sign.as_char(), sign.spacing()) {
                // The name of a lifetime comes next.
                ('\'', _) => drop(trees.next()),
                (':', Spacing::Joint) if trees.next_if(|tree| is_sign(tree, ':')).is_some() => {
                    tokens.push(Token::Path);
                }
                ('#', _) => {
                    trees.next_if(|tree| is_sign(tree, '!'));
                    // A comment of documentation is an attribute too.
                    if trees.next_if(|tree| is_attribute(tree, "doc=")).is_none()
                        && trees
                            .next_if(|tree| is_attribute(tree, "cfg(test)"))
                            .is_some()
                    {
                        let ends = |tree: &TokenTree| is_sign(tree, ';') || is_block(tree);
                        trees.by_ref().find(ends);
                    }
                }
                (other, _) => tokens.push(Token::Sign(other)),
            },
        }
    }
}

fn is_sign(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(own) if own.as_char() == sign)
}

fn is_block(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_attribute(tree: &TokenTree, beginning: &str) -> bool {
    tree.to_string()
        .replace(' ', "")
        .starts_with(&format!("[{beginning}"))
}

#[test]
fn comments_and_tests_are_left_out() {
    let source = r##"
        //! use a::b;
        /* use /* c */ d; */
        /// The [`g`].
        use e::{f, r#"x\"#}; let g: &'h str = "use \" i"; 'j' '\'' '\u{1F600}' 0x1f_u8
        #[cfg(test)]
        mod k { use l; }
        #[cfg(test)]
        use n::o;
        m
    "##;
    let words: Vec<_> = tokens(source)
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
