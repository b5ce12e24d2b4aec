import type { StoreSession } from '@draftshelf/publishing/store-session';
import type { CallGate } from '@draftshelf/shopify/call-gate';
import type { PushReads } from './push-reads.ts';

/** All chunks pushed to a store share its gate and its reads. */
export type PushStore = { session: StoreSession; gate: CallGate; reads: PushReads };
