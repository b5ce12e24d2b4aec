/** A letter that runs an action together with Shift. */
export type Hotkey = { key: string; does: string };

export const actionKeys = {
  push: { key: 'P', does: 'Push' },
  dryRun: { key: 'D', does: 'Dry Run' },
  report: { key: 'R', does: 'View Report' },
  pause: { key: 'S', does: 'Pause' },
  resume: { key: 'S', does: 'Resume' },
} as const;

export function keyOf(action: { kind: string; action?: string }): Hotkey | null {
  const name = action.action ?? action.kind;
  return name in actionKeys ? actionKeys[name as keyof typeof actionKeys] : null;
}
