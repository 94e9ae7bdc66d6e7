import { BookOpen } from "lucide-react";

import { Button } from "./Button";
import type { SpecLink } from "../ipc/bindings";
import { useActions } from "../state/hooks";

/** Opens a section of the specification, after showing its whole address. */
export function SpecButton({ spec }: { spec: SpecLink }) {
  const { askToOpen } = useActions();
  return (
    <Button small kind="quiet" icon={BookOpen} title={spec.url} onClick={() => askToOpen(spec.url, "specification")}>
      {spec.name}
    </Button>
  );
}
