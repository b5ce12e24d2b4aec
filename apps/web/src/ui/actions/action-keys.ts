/** A letter that runs an action together with Shift, and the action in a word or two. */
export type Hotkey = { key: string; does: string };

/** The keys of actions of an import's page. */
export const actionKeys = {
  push: { key: 'P', does: 'Push' },
  dryRun: { key: 'D', does: 'Dry Run' },
  report: { key: 'R', does: 'View Report' },
  pause: { key: 'S', does: 'Pause' },
  resume: { key: 'S', does: 'Resume' },
} as const;

/** The key of an action by its kind, or by the import's action that it runs; null if it has none. */
export function keyOf(action: { kind: string; action?: string }): Hotkey | null {
  const name = action.action ?? action.kind;
  return name in actionKeys ? actionKeys[name as keyof typeof actionKeys] : null;
}
