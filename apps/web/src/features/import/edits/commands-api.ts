import type { EditTarget } from '@draftshelf/contract/review/commands';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { readKey } from '../../../api/read.ts';
import { refreshAfterEdit } from '../rows-api.ts';

/** A change of many rows, as data. */
export type Edits = { target: EditTarget; operations: Operation[] };

/**
 * What edits would do; null asks for nothing. The one before stays until the next one is there, and a request that is
 * no longer needed is aborted. No preview is kept: others may change the rows at any time.
 */
export function useEditPreview(importId: string, edits: Edits | null) {
  return useQuery({
    queryKey: [...readKey('previewEdits', { id: importId }), edits],
    queryFn: ({ signal }) =>
      call('previewEdits', {
        params: { id: importId },
        body: edits ?? { target: {}, operations: [] },
        signal,
      }),
    enabled: edits !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Applies edits as one command. `sinceEdit`: of their preview. */
export function useEditsApply(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Edits & { sinceEdit: number }) =>
      call('applyEdits', { params: { id: importId }, body }),
    onSettled: () => void refreshAfterEdit(client, importId),
  });
}

/** Goes on with a command that has stopped before its end. */
export function useCommandResume(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (command: string) => call('resumeEdits', { params: { id: importId, command } }),
    onSettled: () => void refreshAfterEdit(client, importId),
  });
}
