import { BookOpen } from "lucide-react";

import { Button } from "./Button";
import type { SpecLink } from "../ipc/bindings";
import { useActions } from "../state/hooks";

/** Offers to open the place in the specification; the whole address is shown first. */
export function SpecButton({ spec }: { spec: SpecLink }) {
  const { askToOpen } = useActions();
  return (
    <Button small kind="quiet" icon={BookOpen} title={spec.url} onClick={() => askToOpen(spec.url, "specification")}>
      {spec.name}
    </Button>
  );
}
