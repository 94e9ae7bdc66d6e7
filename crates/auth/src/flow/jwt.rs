//! JSON Web Tokens that this client signs itself: assertions (RFC 7523) and DPoP proofs (RFC 9449). The
//! signatures are ring's.

use base64::{Engine as _, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
        Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RSA_PSS_SHA256, RsaKeyPair,
    },
};
use serde_json::{Value, json};

use crate::{Problem, Spec};

/// Signature algorithms, by the names of RFC 7518 and RFC 8037.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Es256,
    Es384,
    Rs256,
    Ps256,
    EdDsa,
}

impl Algorithm {
    fn parse(name: &str) -> Option<Self> {
        use Algorithm::{EdDsa, Es256, Es384, Ps256, Rs256};
        let mut all = [Es256, Es384, Rs256, Ps256, EdDsa].into_iter();
        all.find(|algorithm| algorithm.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Algorithm::Es256 => "ES256",
            Algorithm::Es384 => "ES384",
            Algorithm::Rs256 => "RS256",
            Algorithm::Ps256 => "PS256",
            Algorithm::EdDsa => "EdDSA",
        }
    }
}

/// A private key for signing.
pub(crate) struct SigningKey {
    pair: Pair,
    algorithm: Algorithm,
    random: SystemRandom,
}

enum Pair {
    Ecdsa(EcdsaKeyPair),
    Rsa(Box<RsaKeyPair>),
    Ed25519(Ed25519KeyPair),
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SigningKey({})", self.algorithm.name())
    }
}

impl SigningKey {
    /// Reads the text of a PEM file. Without an algorithm, the key's own is used.
    pub(crate) fn from_pem(pem: &str, algorithm: Option<&str>) -> Result<Self, Problem> {
        let wanted = match algorithm.map(str::trim).filter(|name| !name.is_empty()) {
            None => None,
            Some(name) => Some(Algorithm::parse(name).ok_or_else(|| {
                bad_key(format!(
                    "`{name}` is not a supported algorithm; choose ES256, ES384, RS256, PS256 \
                     or EdDSA."
                ))
            })?),
        };
        let (label, der) = pem_block(pem)?;
        Self::from_der(&label, &der, wanted)
    }

    fn from_der(label: &str, der: &[u8], wanted: Option<Algorithm>) -> Result<Self, Problem> {
        let random = SystemRandom::new();
        let ok = |pair, algorithm| {
            Ok(Self {
                pair,
                algorithm,
                random: SystemRandom::new(),
            })
        };
        let fits = |algorithm| wanted.is_none() || wanted == Some(algorithm);
        if label != "PRIVATE KEY" {
            return Err(bad_key(format!(
                "It is `{label}`; a key that starts with `-----BEGIN PRIVATE KEY-----` (PKCS \
                 #8) is needed. Convert it with `openssl pkcs8 -topk8 -nocrypt`."
            )));
        }
        for (algorithm, kind) in [
            (Algorithm::Es256, &ECDSA_P256_SHA256_FIXED_SIGNING),
            (Algorithm::Es384, &ECDSA_P384_SHA384_FIXED_SIGNING),
        ] {
            if let Ok(pair) = EcdsaKeyPair::from_pkcs8(kind, der, &random) {
                return match fits(algorithm) {
                    true => ok(Pair::Ecdsa(pair), algorithm),
                    false => Err(does_not_fit(algorithm)),
                };
            }
        }
        if let Ok(pair) = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der) {
            return match fits(Algorithm::EdDsa) {
                true => ok(Pair::Ed25519(pair), Algorithm::EdDsa),
                false => Err(does_not_fit(Algorithm::EdDsa)),
            };
        }
        if let Ok(pair) = RsaKeyPair::from_pkcs8(der) {
            return match wanted {
                None | Some(Algorithm::Rs256) => ok(Pair::Rsa(Box::new(pair)), Algorithm::Rs256),
                Some(Algorithm::Ps256) => ok(Pair::Rsa(Box::new(pair)), Algorithm::Ps256),
                Some(_) => Err(does_not_fit(Algorithm::Rs256)),
            };
        }
        Err(bad_key(
            "It is neither a P-256, P-384 or Ed25519 key nor an RSA key of at least 2,048 bits.",
        ))
    }

    /// Generates a P-256 key; also returns the text for [`SigningKey::restore`].
    pub(crate) fn generate() -> Result<(Self, String), Problem> {
        let random = SystemRandom::new();
        let kind = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(kind, &random)
            .map_err(|_| bad_key("The system provided no random numbers."))?;
        let key = Self::from_der("PRIVATE KEY", document.as_ref(), None)?;
        Ok((key, BASE64_STANDARD.encode(document.as_ref())))
    }

    /// Restores a key from the text that [`SigningKey::generate`] returned.
    pub(crate) fn restore(text: &str) -> Result<Self, Problem> {
        let der = BASE64_STANDARD
            .decode(text)
            .map_err(|_| bad_key("The stored key is damaged."))?;
        Self::from_der("PRIVATE KEY", &der, None)
    }

    /// Returns the public half of a P-256 key (RFC 7517).
    pub(crate) fn public_jwk(&self) -> Option<Value> {
        let Pair::Ecdsa(pair) = &self.pair else {
            return None;
        };
        // Uncompressed: 0x04, then both coordinates.
        let (x, y) = pair.public_key().as_ref().get(1..)?.split_at_checked(32)?;
        Some(json!({
            "kty": "EC", "crv": "P-256",
            "x": BASE64_URL_SAFE_NO_PAD.encode(x), "y": BASE64_URL_SAFE_NO_PAD.encode(y),
        }))
    }

    /// Signs claims. `header` has the members of the header besides the algorithm.
    pub(crate) fn sign(&self, mut header: Value, claims: &Value) -> Result<String, Problem> {
        header["alg"] = json!(self.algorithm.name());
        let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", part(&header), part(claims));
        let failed = |_| bad_key("Signing with it failed.");
        let signature = match &self.pair {
            Pair::Ecdsa(pair) => pair
                .sign(&self.random, text.as_bytes())
                .map_err(failed)?
                .as_ref()
                .to_vec(),
            Pair::Ed25519(pair) => pair.sign(text.as_bytes()).as_ref().to_vec(),
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                let padding: &dyn ring::signature::RsaEncoding = match self.algorithm {
                    Algorithm::Ps256 => &RSA_PSS_SHA256,
                    _ => &RSA_PKCS1_SHA256,
                };
                pair.sign(padding, &self.random, text.as_bytes(), &mut signature)
                    .map_err(failed)?;
                signature
            }
        };
        Ok(format!(
            "{text}.{}",
            BASE64_URL_SAFE_NO_PAD.encode(signature)
        ))
    }
}

fn bad_key(cause: impl Into<String>) -> Problem {
    Problem::new("bad_key", "The private key cannot be used.")
        .because(cause)
        .advise("Edit the server and enter the key again.")
        .see(Spec::ClientCredentials)
}

fn does_not_fit(algorithm: Algorithm) -> Problem {
    bad_key(format!(
        "It is a key for {}, but another algorithm is selected.",
        algorithm.name()
    ))
}

/// Finds the first block of a PEM text, however it was pasted.
fn pem_block(pem: &str) -> Result<(String, Vec<u8>), Problem> {
    let none = || bad_key("It is not PEM text: `-----BEGIN PRIVATE KEY-----` is missing.");
    let (_, rest) = pem.split_once("-----BEGIN ").ok_or_else(none)?;
    let (label, rest) = rest.split_once("-----").ok_or_else(none)?;
    let (body, _) = rest.split_once("-----END").ok_or_else(none)?;
    let body: String = body
        .replace("\\n", "")
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    let der = BASE64_STANDARD
        .decode(body)
        .map_err(|_| bad_key("The PEM text is damaged."))?;
    Ok((label.to_owned(), der))
}

/// Reads a claim of a JWT without checking anything.
#[cfg(test)]
pub(crate) fn claim(token: &str, name: &str) -> Option<Value> {
    let payload = token.split('.').nth(1)?;
    let bytes = BASE64_URL_SAFE_NO_PAD
        .decode(payload.trim_end_matches('='))
        .ok()?;
    let mut claims: Value = serde_json::from_slice(&bytes).ok()?;
    Some(claims.get_mut(name)?.take())
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    #[test]
    fn what_is_signed_can_be_checked() {
        let (key, stored) = SigningKey::generate().unwrap();
        let token = key
            .sign(json!({"typ": "dpop+jwt"}), &json!({"jti": "1"}))
            .unwrap();
        let (text, signature) = token.rsplit_once('.').unwrap();
        let jwk = SigningKey::restore(&stored).unwrap().public_jwk().unwrap();
        let coordinate = |name: &str| {
            BASE64_URL_SAFE_NO_PAD
                .decode(jwk[name].as_str().unwrap())
                .unwrap()
        };
        let public = [vec![4], coordinate("x"), coordinate("y")].concat();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public)
            .verify(
                text.as_bytes(),
                &BASE64_URL_SAFE_NO_PAD.decode(signature).unwrap(),
            )
            .unwrap();
        assert_eq!(claim(&token, "jti"), Some(json!("1")));
        assert!(!format!("{key:?}").contains(&stored));
    }

    #[test]
    fn a_key_that_cannot_be_used_says_why() {
        let (_, stored) = SigningKey::generate().unwrap();
        let pem = format!("-----BEGIN PRIVATE KEY-----\\n{stored}\\n-----END PRIVATE KEY-----");
        assert!(SigningKey::from_pem(&pem, Some("ES256")).is_ok());
        assert!(SigningKey::from_pem(&pem, Some(" ")).is_ok());
        for (pem, algorithm, said) in [
            (pem.as_str(), Some("RS256"), "ES256"),
            (pem.as_str(), Some("none"), "`none`"),
            ("hello", None, "PEM"),
            (
                "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----",
                None,
                "PKCS #8",
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
                None,
                "neither",
            ),
        ] {
            let problem = SigningKey::from_pem(pem, algorithm).unwrap_err();
            assert!(problem.cause.contains(said), "{}", problem.cause);
        }
    }
}
