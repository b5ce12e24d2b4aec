import { z } from 'zod';
import { route } from '../route.ts';

/** `client`: the address that the request came from. */
export const SecurityEvent = z.object({
  id: z.number().int(),
  /** A string, so that the page can show a kind of a newer server. */
  kind: z.string(),
  at: z.iso.datetime(),
  client: z.string(),
  /** Finds the event in the api's log. */
  requestId: z.string(),
  /** Names of services or settings, never their secrets. */
  detail: z.string().nullable(),
  importId: z.uuid().nullable(),
});
export type SecurityEvent = z.infer<typeof SecurityEvent>;

export const listSecurityEvents = route('listSecurityEvents', {
  reply: z.object({ events: z.array(SecurityEvent) }),
});
