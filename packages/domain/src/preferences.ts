import { z } from 'zod';
import { readableValues } from './saved-values.ts';

/** What a push does with a product that the store already has under another id. */
export const matchChoices = ['skip', 'update', 'create'] as const;
export type MatchChoice = (typeof matchChoices)[number];

/** What operators can set beside the specification's settings; unknown keys are refused. */
export const Preferences = z.strictObject({
  /** What is done with matches unless a push says otherwise. */
  whenInStore: z.enum(matchChoices),
});
export type Preferences = z.infer<typeof Preferences>;

export const preferencesDefault: Preferences = { whenInStore: 'skip' };

/** Preferences from saved values, which another version may have written. */
export function preferencesFrom(saved: Readonly<Record<string, unknown>>): Preferences {
  return { ...preferencesDefault, ...readableValues(Preferences, saved) };
}
