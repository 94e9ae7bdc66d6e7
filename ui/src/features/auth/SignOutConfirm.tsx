import { Confirm } from "../../components/Confirm";
import type { Grant, ServerId } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import { signOutWords } from "./authWords";

export interface SignOutConfirmProps {
  server: ServerId;
  grant: Grant;
  onDone: () => void;
}

/** Asks once, in place, before a token is deleted. */
export function SignOutConfirm({ server, grant, onDone }: SignOutConfirmProps) {
  const { command } = useActions();
  return (
    <Confirm
      role="group"
      label="Sign out?"
      action="Sign out"
      keep="Stay signed in"
      onConfirm={() => {
        onDone();
        void command("sign_out", { server });
      }}
      onKeep={onDone}
    >
      {signOutWords(grant)}
    </Confirm>
  );
}
