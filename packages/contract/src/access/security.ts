import { z } from 'zod';
import { route } from '../route.ts';

/** An event that concerns access or secrets. `client` is the address from which the request came. */
export const SecurityEvent = z.object({
  id: z.number().int(),
  /** A string, so that an older page can show a kind that a newer server added. */
  kind: z.string(),
  at: z.iso.datetime(),
  client: z.string(),
  /** The request's id in the api's log. */
  requestId: z.string(),
  /** Names of services or settings. Never secrets. */
  detail: z.string().nullable(),
  importId: z.uuid().nullable(),
});
export type SecurityEvent = z.infer<typeof SecurityEvent>;

export const listSecurityEvents = route('listSecurityEvents', {
  reply: z.object({ events: z.array(SecurityEvent) }),
});
