import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { readKey } from '../../../api/read.ts';
import type { PreviewedChange } from './reread-api.ts';

/** Preview of a re-read with a change; null: there is no change yet. The last reply stays while a new one loads. */
export function useRereadPreview(importId: string, change: PreviewedChange | null) {
  return useQuery({
    queryKey: readKey('previewReread', { id: importId }, change ?? {}),
    queryFn: ({ signal }) => call('previewReread', { params: { id: importId }, body: change ?? {}, signal }),
    enabled: change !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
