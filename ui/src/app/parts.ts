import { later } from "./later";

export const ServerForm = later(async () => (await import("../features/servers/ServerForm")).ServerForm);
export const ImportPanel = later(async () => (await import("../features/servers/ImportPanel")).ImportPanel);
export const ExportPanel = later(async () => (await import("../features/servers/ExportPanel")).ExportPanel);
export const DiagnosisPanel = later(async () => (await import("../features/diagnosis/DiagnosisPanel")).DiagnosisPanel);
export const SettingsPanel = later(async () => (await import("../features/settings/SettingsPanel")).SettingsPanel);
export const ComparePanel = later(async () => (await import("../features/runs/compare/ComparePanel")).ComparePanel);
export const GivePresentation = later(
  async () => (await import("../features/presentation/give/GivePresentation")).GivePresentation,
);
export const PresentationsPanel = later(
  async () => (await import("../features/presentation/prepare/PresentationsPanel")).PresentationsPanel,
);
export const PresentationEditor = later(
  async () => (await import("../features/presentation/prepare/PresentationEditor")).PresentationEditor,
);
/** Has the whole guide in it. */
export const HelpPanel = later(async () => (await import("../features/help/HelpPanel")).HelpPanel, false);
