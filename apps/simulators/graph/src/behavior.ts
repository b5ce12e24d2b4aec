import { z } from 'zod';

/** Kinds of calls, as they stand in the journal and in faults. */
export const callKinds = [
  'discovery',
  'devicecode',
  'token',
  'resolve',
  'site',
  'delta',
  'item',
  'child',
  'make-folder',
  'move',
  'delete',
  'content',
  'download',
  'other',
] as const;
export type CallKind = (typeof callKinds)[number];

/** An answer in place of the usual one. */
export const Fault = z.strictObject({
  on: z.enum(callKinds),
  status: z.number().int().min(400).max(599),
  /** Number of calls that get it. */
  times: z.number().int().min(1).default(1),
  code: z.string().optional(),
  /** Seconds, or a date this many seconds ahead. */
  retryAfter: z.strictObject({ seconds: z.number(), as: z.enum(['seconds', 'date']) }).optional(),
  /** 410: with the address of a new start. */
  location: z.boolean().default(false),
  /** Only for calls about the item of this name. */
  name: z.string().optional(),
});
export type Fault = z.infer<typeof Fault>;

/** The behavior of the simulated OneDrive. */
export const Behavior = z.strictObject({
  /** Maximum number of items per page. */
  pageItems: z.number().int().min(1).default(200),
  /** Changes of folders: answered, or refused except for the whole drive. */
  folderDelta: z.enum(['answered', 'refused']).default('answered'),
  /** Each page names itself as the next one. */
  repeatsLinks: z.boolean().default(false),
  withoutHashes: z.boolean().default(false),
  /** A move changes the name only. */
  refusesMoves: z.boolean().default(false),
  /** The origin of the addresses of contents; absent: the simulator's own. */
  contentOrigin: z.string().optional(),
  /** Time until such an address expires. */
  contentMs: z.number().int().min(0).default(3_600_000),
  /** Contents end after this many bytes, without an end of the reply. */
  breaksAfterBytes: z.number().int().min(0).optional(),
  /** The pause before each piece of contents, and the size of pieces. */
  pieceDelayMs: z.number().int().min(0).default(0),
  pieceBytes: z.number().int().min(1).default(65_536),
  codeSeconds: z.number().min(0).default(900),
  /** Seconds between two questions for the token of a code. */
  pollSeconds: z.number().min(0).default(1),
  accessSeconds: z.number().int().min(1).default(3_600),
  /** Sign-ins with a code are refused, as organizations can set it. */
  blocksCodes: z.boolean().default(false),
  /** The secrets of app registrations that are accepted; absent: any. */
  clientSecrets: z.array(z.string()).optional(),
  faults: z.array(Fault).default([]),
});
export type Behavior = z.infer<typeof Behavior>;
/** Changes of a behavior; absent values stay. */
export type BehaviorChange = z.input<typeof Behavior>;

/** A call that arrived. `answered`: its status; 0: none yet, or the connection was cut. */
export type Arrival = { kind: CallKind; method: string; path: string; authorized: boolean; answered: number };
