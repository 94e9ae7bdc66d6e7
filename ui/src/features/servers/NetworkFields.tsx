import { useState } from "react";

import { Callout } from "../../components/Callout";
import { Checkbox } from "../../components/Checkbox";
import { Select } from "../../components/Select";
import { TextInput } from "../../components/TextInput";
import type { NetworkConfig, ProxyConfig } from "../../ipc/bindings";
import { NumberInput } from "./NumberInput";
import type { DraftProblems } from "./serverDraft";
import styles from "./ServerForm.module.css";

export interface NetworkFieldsProps {
  network: NetworkConfig;
  problems: DraftProblems;
  onChange: (network: NetworkConfig) => void;
  /** A field holds something that is no number. */
  onBroken: (field: string, broken: boolean) => void;
}

/** The way to an address: proxy, certificates and time limits. */
export function NetworkFields({ network, problems, onChange, onBroken }: NetworkFieldsProps) {
  // The address comes back when this proxy is chosen again.
  const [address, setAddress] = useState(network.proxy.type === "at" ? network.proxy.url : "");
  const proxies: readonly { value: ProxyConfig["type"]; label: string }[] = [
    { value: "system", label: "System" },
    { value: "direct", label: "None" },
    { value: "at", label: "Custom" },
  ];
  const identity = network.client_certificate ?? { certificate: "", key: "" };
  return (
    <div className={styles.stack}>
      <div className={styles.pair}>
        <Select
          label="Proxy"
          value={network.proxy.type}
          items={proxies}
          hint={network.proxy.type === "system" ? "Not used for addresses on this computer." : undefined}
          onChange={(type) => onChange({ ...network, proxy: type === "at" ? { type, url: address } : { type } })}
        />
        {network.proxy.type === "at" && (
          <TextInput
            label="Proxy URL"
            mono
            placeholder="http://proxy.example.com:8080"
            value={network.proxy.url}
            error={problems.proxy}
            hint={
              /\/\/[^/]*@/.test(network.proxy.url) ? "The password is saved with the server in plain text." : undefined
            }
            onChange={(url) => {
              setAddress(url);
              onChange({ ...network, proxy: { type: "at", url } });
            }}
          />
        )}
      </div>
      <TextInput
        label="CA file (PEM)"
        mono
        placeholder="/path/to/authorities.pem"
        hint="Trusted in addition to the system’s."
        value={network.ca_file ?? ""}
        onChange={(file) => onChange({ ...network, ca_file: file === "" ? null : file })}
      />
      <div className={styles.pair}>
        <TextInput
          label="Client certificate (PEM)"
          mono
          placeholder="/path/to/client.pem"
          value={identity.certificate}
          error={problems.certificate}
          onChange={(certificate) => onChange({ ...network, client_certificate: { ...identity, certificate } })}
        />
        <TextInput
          label="Client private key (PEM)"
          mono
          hint="Leave empty if it is in the same file."
          value={identity.key}
          onChange={(key) => onChange({ ...network, client_certificate: { ...identity, key } })}
        />
      </div>
      <Checkbox
        label="Accept any certificate"
        checked={network.accept_any_certificate}
        onChange={(accept_any_certificate) => onChange({ ...network, accept_any_certificate })}
      />
      {network.accept_any_certificate && (
        <Callout level="warning">
          <p>
            Anyone who can intercept the connection can pose as the server and read everything that is sent. A warning
            stays on the server’s page while this is on.
          </p>
        </Callout>
      )}
      <div className={styles.pair}>
        <NumberInput
          label="Connect timeout (seconds)"
          hint="Default: 10."
          most={3600}
          value={network.connect_seconds}
          onBroken={(broken) => onBroken("connect_seconds", broken)}
          onChange={(connect_seconds) => onChange({ ...network, connect_seconds })}
        />
        <NumberInput
          label="Stream idle timeout (seconds)"
          hint="Default: no limit."
          most={86_400}
          value={network.idle_seconds}
          onBroken={(broken) => onBroken("idle_seconds", broken)}
          onChange={(idle_seconds) => onChange({ ...network, idle_seconds })}
        />
      </div>
    </div>
  );
}
