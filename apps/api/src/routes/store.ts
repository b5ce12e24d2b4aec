import { testStore } from '@draftshelf/contract/store';
import { type Api, serve } from '../serve.ts';
import type { StoreConnection } from '../store-connection.ts';

/** The connection test of the job page; it answers 200 also when the store is down (decision O7). */
export function serveStore(api: Api, { store }: { store: StoreConnection }): void {
  serve(api, testStore, async () => {
    const { ok, message } = await store.test();
    const status = ok ? ('success' as const) : ('error' as const);
    return { status, success: ok, message, connected: { status, message } };
  });
}
