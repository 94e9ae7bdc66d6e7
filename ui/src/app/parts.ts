import { later } from "../components/later";

export const ServerForm = later(async () => (await import("../features/servers/ServerForm")).ServerForm);
export const ImportPanel = later(async () => (await import("../features/servers/ImportPanel")).ImportPanel);
export const ExportPanel = later(async () => (await import("../features/servers/ExportPanel")).ExportPanel);
export const DiagnosisPanel = later(async () => (await import("../features/diagnosis/DiagnosisPanel")).DiagnosisPanel);
export const SettingsPanel = later(async () => (await import("../features/settings/SettingsPanel")).SettingsPanel);
export const ComparePanel = later(async () => (await import("../features/runs/compare/ComparePanel")).ComparePanel);
export const CompareCheckPanel = later(
  async () => (await import("../features/runs/compare/CompareCheckPanel")).CompareCheckPanel,
);
export const KeepCheckPanel = later(async () => (await import("../features/checks/KeepCheckPanel")).KeepCheckPanel);
export const CompareListsPanel = later(
  async () => (await import("../features/checks/CompareListsPanel")).CompareListsPanel,
);
export const Given = later(async () => (await import("./Given")).Given);
export const PresentationsPanel = later(
  async () => (await import("../features/presentation/prepare/PresentationsPanel")).PresentationsPanel,
);
export const PresentationEditor = later(
  async () => (await import("../features/presentation/prepare/PresentationEditor")).PresentationEditor,
);
export const HelpPanel = later(async () => (await import("../features/help/HelpPanel")).HelpPanel);
export const ConfirmCommand = later(async () => (await import("../features/servers/ConfirmCommand")).ConfirmCommand);
export const SignInBand = later(async () => (await import("../features/auth/SignInBand")).SignInBand);
export const SignInProgress = later(async () => (await import("../features/auth/SignInCard")).SignInProgress);
export const SessionServerRequests = later(
  async () => (await import("../features/serverRequests/SessionServerRequests")).SessionServerRequests,
);
export const Overlays = later(async () => (await import("./Overlays")).Overlays);
export const ConnectionBanner = later(
  async () => (await import("../features/connection/ConnectionBanner")).ConnectionBanner,
);
