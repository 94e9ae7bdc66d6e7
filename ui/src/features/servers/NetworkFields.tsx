import { useState } from "react";

import { Callout } from "../../components/Callout";
import { Checkbox } from "../../components/Checkbox";
import { Select } from "../../components/Select";
import { TextInput } from "../../components/TextInput";
import type { NetworkDraft, ProxyDraft } from "../../ipc/bindings";
import { NumberInput } from "./NumberInput";
import type { DraftProblems } from "./serverDraft";
import styles from "./ServerForm.module.css";

export interface NetworkFieldsProps {
  network: NetworkDraft;
  problems: DraftProblems;
  onChange: (network: NetworkDraft) => void;
  /** A field holds something that is no number. */
  onBroken: (field: string, broken: boolean) => void;
}

/** The way to an address: proxy, certificates and time limits. */
export function NetworkFields({ network, problems, onChange, onBroken }: NetworkFieldsProps) {
  // The address comes back when this proxy is chosen again.
  const [address, setAddress] = useState(network.proxy.type === "at" ? network.proxy.url : "");
  const proxies: readonly { value: ProxyDraft["type"]; label: string }[] = [
    { value: "system", label: "The system’s" },
    { value: "direct", label: "None" },
    { value: "at", label: "This one" },
  ];
  const identity = network.client_certificate ?? { certificate: "", key: "" };
  return (
    <div className={styles.stack}>
      <div className={styles.pair}>
        <Select
          label="Proxy"
          value={network.proxy.type}
          items={proxies}
          hint={network.proxy.type === "system" ? "Never used for addresses on this computer." : undefined}
          onChange={(type) => onChange({ ...network, proxy: type === "at" ? { type, url: address } : { type } })}
        />
        {network.proxy.type === "at" && (
          <TextInput
            label="Address of the proxy"
            mono
            placeholder="http://proxy.example.com:8080"
            value={network.proxy.url}
            error={problems.proxy}
            hint={
              /\/\/[^/]*@/.test(network.proxy.url) ? "Its password is saved with the server in plain text." : undefined
            }
            onChange={(url) => {
              setAddress(url);
              onChange({ ...network, proxy: { type: "at", url } });
            }}
          />
        )}
      </div>
      <TextInput
        label="Certificate authorities (PEM file)"
        mono
        placeholder="/path/to/authorities.pem"
        hint="Trusted beside the system’s."
        value={network.ca_file ?? ""}
        onChange={(file) => onChange({ ...network, ca_file: file === "" ? null : file })}
      />
      <div className={styles.pair}>
        <TextInput
          label="Client certificate (PEM file)"
          mono
          placeholder="/path/to/client.pem"
          value={identity.certificate}
          error={problems.certificate}
          onChange={(certificate) => onChange({ ...network, client_certificate: { ...identity, certificate } })}
        />
        <TextInput
          label="Its private key (PEM file)"
          mono
          hint="The same file when empty."
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
            Whoever answers at the address is believed to be the server, and can read all that is sent. The server’s
            page says so as long as it is on.
          </p>
        </Callout>
      )}
      <div className={styles.pair}>
        <NumberInput
          label="Connecting may take (seconds)"
          hint="10 when empty."
          most={3600}
          value={network.connect_seconds}
          onBroken={(broken) => onBroken("connect_seconds", broken)}
          onChange={(connect_seconds) => onChange({ ...network, connect_seconds })}
        />
        <NumberInput
          label="An open stream may be silent (seconds)"
          hint="For ever when empty."
          most={86_400}
          value={network.idle_seconds}
          onBroken={(broken) => onBroken("idle_seconds", broken)}
          onChange={(idle_seconds) => onChange({ ...network, idle_seconds })}
        />
      </div>
    </div>
  );
}
