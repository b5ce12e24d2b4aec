import type { StoreSession } from '@draftshelf/publishing/store-session';
import type { CallGate } from '@draftshelf/shopify/call-gate';
import type { PushReads } from './push-reads.ts';

/** A store with the gate and the reads that all chunks pushed to it share. */
export type PushStore = { session: StoreSession; gate: CallGate; reads: PushReads };
