import { testStore } from '@draftshelf/contract/store';
import { useMutation } from '@tanstack/react-query';
import { call } from './call.ts';

/** The job page's connection test; it also answers when the store is down, and then says so. */
export function useStoreTest() {
  return useMutation({ mutationFn: () => call(testStore) });
}
