import { useId, useState } from "react";

import { Callout } from "../../components/Callout";
import { CopyButton } from "../../components/CopyButton";
import { Disclosure } from "../../components/Disclosure";
import { Checkbox, Select, TextInput } from "../../components/Field";
import type { AuthConfig, GrantConfig, ServerField, SignInConfig } from "../../ipc/bindings";
import {
  algorithms,
  authFields,
  authSummary,
  choose,
  dpopChoices,
  isPlain,
  keptSecrets,
  moreIsPlain,
  redirectAddress,
  remember,
  wayOf,
  ways,
  type AuthTyped,
  type SecretField as SecretFieldName,
} from "./authDraft";
import { NumberInput } from "./NumberInput";
import { SecretField } from "./SecretField";
import { fieldsOf, type ProblemOf, type Reveal } from "./serverDraft";
import form from "./ServerForm.module.css";
import styles from "./SignInFields.module.css";

export interface SignInProps {
  auth: AuthConfig;
  /** Section of the saved configuration. */
  saved: AuthConfig | undefined;
  problemOf: ProblemOf;
  reveal: Reveal;
  onChange: (auth: AuthConfig) => void;
  onBroken: (field: string, broken: boolean) => void;
}

/** Sign-in section of a server's form. Folded while it has its defaults. */
export function SignIn({ auth, saved, problemOf, reveal, onChange, onBroken }: SignInProps) {
  // Kept outside of the collapsible part, so that it survives collapsing.
  const [typed, setTyped] = useState<AuthTyped>({});
  const [port, setPort] = useState<string>();
  const kept = keptSecrets(saved);
  return (
    <Disclosure
      open={!isPlain(auth)}
      reveal={reveal(authFields)}
      summary={
        <span className="plain">
          Authentication: <span className="muted">{authSummary(auth)}</span>
        </span>
      }
    >
      <div className="stack gap12">
        <Ways
          auth={auth}
          onChoose={(way) => {
            const known = remember(typed, auth);
            setTyped(known);
            onChange(choose(known, way, kept));
          }}
        />
        {auth.type === "token" && (
          <SecretField
            label="Token"
            hint="Sent as “Authorization: Bearer …”, and to this server only. Stored in the system’s keyring."
            {...fieldsOf(auth, { kept, problemOf }, onChange).secret("token")}
          />
        )}
        {auth.type === "sign_in" && (
          <SignInOptions
            options={auth.options}
            kept={kept}
            problemOf={problemOf}
            reveal={reveal}
            port={port}
            onPort={setPort}
            onBroken={onBroken}
            onChange={(options) => onChange({ type: "sign_in", options })}
          />
        )}
      </div>
    </Disclosure>
  );
}

function Ways({ auth, onChoose }: { auth: AuthConfig; onChoose: (way: (typeof ways)[number]["way"]) => void }) {
  const name = useId();
  const chosen = wayOf(auth);
  return (
    <fieldset className="stack shrink noMargin noPadding noBorder">
      <legend className="visuallyHidden">Authentication method</legend>
      {ways.map(({ way, label, hint }) => (
        <label key={way} className={styles.way}>
          <input
            type="radio"
            name={name}
            checked={way === chosen}
            aria-labelledby={`${name}-${way}`}
            aria-describedby={`${name}-${way}-hint`}
            onChange={() => onChoose(way)}
          />
          <span id={`${name}-${way}`}>{label}</span>
          <span id={`${name}-${way}-hint`} className="note">
            {hint}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface Known {
  readonly kept: ReadonlySet<SecretFieldName>;
  readonly problemOf: ProblemOf;
}

interface OptionsProps extends Known {
  options: SignInConfig;
  reveal: Reveal;
  /** Port as typed, which may be invalid. */
  port: string | undefined;
  onPort: (text: string) => void;
  onChange: (options: SignInConfig) => void;
  onBroken: (field: string, broken: boolean) => void;
}

function SignInOptions(props: OptionsProps) {
  const { options, kept, problemOf, onChange } = props;
  const { grant } = options;
  return (
    <>
      <GrantFields
        grant={grant}
        kept={kept}
        problemOf={problemOf}
        onChange={(next) => onChange({ ...options, grant: next })}
      />
      {grant.type !== "browser" && <Client {...props} />}
      <More {...props} />
    </>
  );
}

/** Client at the authorization server. Client credentials and enterprise sign-in need its ID. */
function Client({ options, onChange, ...known }: Known & Pick<OptionsProps, "options" | "onChange">) {
  const { grant } = options;
  const fields = fieldsOf(options, known, onChange);
  const secret = { label: "Client secret", ...fields.secret("client_secret") };
  return (
    <div className={form.pair}>
      <TextInput label="Client ID" hint={clientHints[grant.type]} {...fields.optional("client_id")} />
      {grant.type === "client_secret" && <SecretField {...secret} />}
      {(grant.type === "browser" || grant.type === "enterprise") && (
        <SecretField
          {...secret}
          hint="Leave empty if the client has none."
          onClear={() => onChange({ ...options, client_secret: null })}
        />
      )}
    </div>
  );
}

const clientHints: Readonly<Record<GrantConfig["type"], string | undefined>> = {
  browser: "For a pre-registered client. Leave empty to let Sonde register one.",
  client_secret: undefined,
  private_key: undefined,
  enterprise: "As registered with the server’s authorization server.",
  workload: "Leave empty if the assertion contains it.",
};

interface GrantProps extends Known {
  grant: GrantConfig;
  onChange: (grant: GrantConfig) => void;
}

/** Fields of one grant only. */
function GrantFields({ grant, onChange, ...known }: GrantProps) {
  switch (grant.type) {
    case "browser":
    case "client_secret":
      return null;
    case "private_key": {
      const { optional, secret } = fieldsOf(grant, known, onChange);
      return (
        <>
          <SecretField
            label="Private key (PEM, PKCS #8)"
            lines
            placeholder="-----BEGIN PRIVATE KEY-----"
            hint="The contents of the file. Stored in the system’s keyring and never shown again."
            {...secret("key")}
          />
          <div className={form.pair}>
            <Select
              label="Algorithm"
              value={grant.algorithm ?? ""}
              items={algorithms}
              error={known.problemOf("algorithm")}
              onChange={(algorithm) => onChange({ ...grant, algorithm: algorithm === "" ? null : algorithm })}
            />
            <TextInput
              label="Audience"
              hint="Default: the issuer. Some servers require the token endpoint."
              {...optional("audience")}
            />
          </div>
        </>
      );
    }
    case "enterprise": {
      const { text, secret } = fieldsOf(grant, known, onChange);
      return (
        <>
          <TextInput
            label="Identity provider token endpoint"
            placeholder="https://login.example.com/oauth2/token"
            {...text("idp_token_endpoint")}
          />
          <div className={form.pair}>
            <TextInput label="Identity provider client ID" {...text("idp_client_id")} />
            <SecretField
              label="Identity provider client secret"
              hint="Leave empty if the client has none."
              {...secret("idp_client_secret")}
              onClear={() => onChange({ ...grant, idp_client_secret: null })}
            />
          </div>
          <SecretField
            label="ID token"
            hint="From a sign-in at the identity provider; most expire within hours."
            {...secret("id_token")}
          />
        </>
      );
    }
    case "workload":
      return (
        <SecretField
          label="Assertion (JWT)"
          hint="Issued by the platform for this authorization server."
          {...fieldsOf(grant, known, onChange).secret("assertion")}
        />
      );
  }
}

/** Advanced options that most people never need. */
function More(props: OptionsProps) {
  const { options, reveal, port, onPort, onChange } = props;
  const { optional, number } = fieldsOf(options, props, onChange);
  const browser = options.grant.type === "browser";
  const fields: readonly ServerField[] = [
    ...(browser ? (["client_id", "client_secret"] as const) : []),
    "metadata_url",
    "issuer",
    "scopes",
    "redirect_port",
  ];
  return (
    <Disclosure summary="Advanced" open={!moreIsPlain(options)} reveal={reveal(fields)}>
      <div className="stack gap12">
        {browser && <Client {...props} />}
        {browser && (
          <TextInput
            label="Client ID metadata document"
            placeholder="https://example.com/client.json"
            hint="Its URL is used as the client ID, if the authorization server supports that."
            {...optional("metadata_url")}
          />
        )}
        <div className={form.pair}>
          <TextInput
            label="Issuer"
            placeholder="https://login.example.com"
            hint={`The only issuer that these credentials may be sent to. Default: the one that you ${options.grant.type === "browser" ? "sign in at" : "confirm"} first.`}
            {...optional("issuer")}
          />
          <TextInput
            label="Scopes"
            placeholder="files:read files:write"
            hint="Requested instead of what the server specifies. Separate with spaces."
            {...optional("scopes")}
          />
        </div>
        <div className={form.pair}>
          <Select
            label="Bind tokens to a key (DPoP)"
            value={options.dpop}
            items={dpopChoices}
            hint={dpopChoices.find(({ value }) => value === options.dpop)?.hint}
            onChange={(dpop) => onChange({ ...options, dpop })}
          />
          {browser && (
            <NumberInput
              label="Redirect port"
              hint="Default: any free port. A pre-registered client usually needs a fixed one."
              least={1024}
              most={65_535}
              typed={port}
              onTyped={onPort}
              {...number("redirect_port")}
            />
          )}
        </div>
        {browser && options.redirect_port !== null && (
          <p className={styles.redirect}>
            <span className="note">Redirect URI</span>
            <code>{redirectAddress(options.redirect_port)}</code>
            <CopyButton compact label="Copy URL" text={redirectAddress(options.redirect_port)} />
          </p>
        )}
        {browser && (
          <Checkbox
            label="Sign in even if the server does not advertise PKCE (insecure)"
            checked={options.without_pkce_promise}
            onChange={(without_pkce_promise) => onChange({ ...options, without_pkce_promise })}
          />
        )}
        {browser && options.without_pkce_promise && (
          <Callout level="warning">
            Without PKCE, anyone who intercepts the redirect can sign in as you. For testing only.
          </Callout>
        )}
      </div>
    </Disclosure>
  );
}
