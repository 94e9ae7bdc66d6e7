import { Check } from "lucide-react";

import { Address } from "../../components/Address";
import { Facts } from "../../components/Facts";
import { VisibleText } from "../../components/VisibleText";
import { Warnings } from "../../components/Warnings";
import type { IssuerConfirmation, ServerId } from "../../ipc/bindings";
import { useActions, useServer } from "../../state/hooks";
import { Card } from "./Card";
import { Scopes } from "./Scopes";
import { WholeAddress } from "./WholeAddress";

interface ConfirmIssuerProps {
  server: ServerId;
  signIn: string;
  confirmation: IssuerConfirmation;
}

/** Confirmation of an authorization server that only the server has named, before the user's secrets are sent to it. */
export function ConfirmIssuer({ server, signIn, confirmation }: ConfirmIssuerProps) {
  const name = useServer(server)?.config.name ?? "";
  const actions = useActions();
  return (
    <Card
      server={server}
      signIn={signIn}
      attempt={confirmation.attempt}
      title={
        <>
          Confirm the issuer for <VisibleText text={name} />
        </>
      }
      expiresAt={confirmation.expires_at}
      action={{
        label: "Confirm issuer",
        icon: Check,
        run: () => void actions.command("confirm_issuer", { server, attempt: confirmation.attempt }),
      }}
    >
      <p className="selectable">
        The server names the issuer below, and its settings have none. If you confirm, Sonde sends{" "}
        {confirmation.credential} to this token endpoint, and from then on to no other issuer. Confirm only an issuer
        that you know.
      </p>
      <Warnings warnings={confirmation.warnings} />
      <div className="stack gap8">
        <WholeAddress label="Token endpoint" address={confirmation.token_endpoint} />
        <Facts
          items={[
            ["Issuer", <Address key="issuer" address={confirmation.issuer} />],
            ["Resource", <Address key="resource" address={confirmation.resource} />],
            [
              "Scopes",
              <Scopes
                key="scopes"
                scopes={confirmation.scopes}
                none="None requested: the authorization server decides."
              />,
            ],
            [
              "Client ID",
              confirmation.client_id !== "" && <VisibleText key="client" code text={confirmation.client_id} />,
            ],
          ]}
        />
      </div>
    </Card>
  );
}
