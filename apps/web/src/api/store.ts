import { testStore } from '@draftshelf/contract/store';
import { useMutation } from '@tanstack/react-query';
import { call } from './call.ts';

/** The job page's connection test. It replies with an error message, not an HTTP error, if the store is down. */
export function useStoreTest() {
  return useMutation({ mutationFn: () => call(testStore) });
}
