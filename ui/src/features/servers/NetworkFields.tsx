import { useState } from "react";

import { Callout } from "../../components/Callout";
import { Checkbox, Select, TextInput } from "../../components/Field";
import type { NetworkConfig, ProxyConfig } from "../../ipc/bindings";
import { NumberInput } from "./NumberInput";
import { PathInput } from "./PathInput";
import { SecretField } from "./SecretField";
import { fieldsOf, type ProblemOf } from "./serverDraft";
import styles from "./ServerForm.module.css";

export interface NetworkFieldsProps {
  network: NetworkConfig;
  /** The saved configuration. */
  saved: NetworkConfig | undefined;
  problemOf: ProblemOf;
  onChange: (network: NetworkConfig) => void;
  /** Reports that the text of a field is not a number. */
  onBroken: (field: string, broken: boolean) => void;
}

/** Network options of an address: proxy, certificates and time limits. */
export function NetworkFields({ network, saved, problemOf, onChange, onBroken }: NetworkFieldsProps) {
  // Restored when this proxy is chosen again.
  const [custom, setCustom] = useState<CustomProxy>(
    network.proxy.type === "at" ? network.proxy : { type: "at", url: "", user: null, password: null },
  );
  const proxies: readonly { value: ProxyConfig["type"]; label: string }[] = [
    { value: "system", label: "System" },
    { value: "direct", label: "None" },
    { value: "at", label: "Custom" },
  ];
  const fields = fieldsOf(network, { problemOf, onBroken }, onChange);
  const identity = fieldsOf(
    network.client_certificate ?? { certificate: "", key: "" },
    { problemOf },
    (client_certificate) => onChange({ ...network, client_certificate }),
  );
  return (
    <div className="stack gap12">
      <div className={styles.pair}>
        <Select
          label="Proxy"
          value={network.proxy.type}
          items={proxies}
          hint={network.proxy.type === "system" ? "Not used for addresses on this computer." : undefined}
          onChange={(type) => onChange({ ...network, proxy: type === "at" ? custom : { type } })}
        />
      </div>
      {network.proxy.type === "at" && (
        <CustomProxyFields
          proxy={network.proxy}
          kept={saved?.proxy.type === "at" && saved.proxy.password !== null}
          problemOf={problemOf}
          onChange={(proxy) => {
            setCustom(proxy);
            onChange({ ...network, proxy });
          }}
        />
      )}
      <PathInput
        label="CA file (PEM)"
        choose="file"
        placeholder="/path/to/authorities.pem"
        hint="Trusted in addition to the system’s."
        {...fields.optional("ca_file")}
      />
      <div className={styles.pair}>
        <PathInput
          label="Client certificate (PEM)"
          choose="file"
          placeholder="/path/to/client.pem"
          {...identity.text("certificate")}
        />
        <PathInput
          label="Client private key (PEM)"
          choose="file"
          hint="Leave empty if it is in the same file."
          {...identity.text("key", "certificate_key")}
        />
      </div>
      <Checkbox
        label="Accept any certificate"
        checked={network.accept_any_certificate}
        onChange={(accept_any_certificate) => onChange({ ...network, accept_any_certificate })}
      />
      {network.accept_any_certificate && (
        <Callout level="warning">
          Anyone who can intercept the connection can pose as the server and read everything that is sent. A warning
          stays on the server’s page while this is on.
        </Callout>
      )}
      <div className={styles.pair}>
        <NumberInput
          label="Connect timeout (seconds)"
          hint="Default: 10."
          most={3600}
          {...fields.number("connect_seconds")}
        />
        <NumberInput
          label="Stream idle timeout (seconds)"
          hint="Default: no limit."
          most={86_400}
          {...fields.number("idle_seconds", "stream_idle_seconds")}
        />
      </div>
    </div>
  );
}

type CustomProxy = Extract<ProxyConfig, { type: "at" }>;

interface CustomProxyProps {
  proxy: CustomProxy;
  /** The saved configuration has a password. */
  kept: boolean;
  problemOf: ProblemOf;
  onChange: (proxy: CustomProxy) => void;
}

function CustomProxyFields({ proxy, kept, problemOf, onChange }: CustomProxyProps) {
  const fields = fieldsOf(proxy, { problemOf }, onChange);
  return (
    <>
      <TextInput
        label="Proxy URL"
        placeholder="http://proxy.example.com:8080"
        {...fields.text("url", "proxy_url")}
        hint={
          /\/\/[^/]*@/.test(proxy.url)
            ? "User name and password move to their fields below when this is saved."
            : undefined
        }
      />
      <div className={styles.pair}>
        <TextInput
          label="Proxy user name"
          hint="Leave empty if the proxy asks for none."
          {...fields.optional("user", "proxy_user")}
        />
        <SecretField
          label="Proxy password"
          value={proxy.password}
          kept={kept}
          hint="Stored in the system’s keyring."
          onChange={(password) => onChange({ ...proxy, password })}
          onClear={() => onChange({ ...proxy, password: null })}
        />
      </div>
    </>
  );
}
