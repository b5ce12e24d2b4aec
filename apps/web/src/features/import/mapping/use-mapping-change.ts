import type { MappingChanges } from '@draftshelf/contract/reading/mapping';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { readMapping, useReread } from './mapping-api.ts';
import { formerMapping, type OnReread } from './reread-rules.ts';

/** Changes the mapping of an import at once, by a re-read of its file that can be taken back. */
export function useMappingChange(importId: string, onReread: OnReread) {
  const client = useQueryClient();
  const reread = useReread(importId);
  const failure = useFailureToast();
  /** The changes that have not been answered yet. */
  const [pending, setPending] = useState<MappingChanges | null>(null);
  const change = async (changes: MappingChanges) => {
    setPending(changes);
    try {
      const { columns: before } = await client.fetchQuery(readMapping(importId));
      await reread.mutateAsync({ mapping: changes });
      onReread(formerMapping(before, changes));
    } catch (error) {
      failure.show('Couldn’t re-read the file', error instanceof Error ? error.message : `${error}`);
    } finally {
      setPending(null);
    }
  };
  return { pending, change };
}
