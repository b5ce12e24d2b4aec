import { useDebouncedValue } from '@mantine/hooks';
import { type Edits, useEditPreview } from '../edits/commands-api.ts';

/** The preview is asked for after this pause in typing. */
const typingPauseMs = 250;

export type ShownPreview = ReturnType<typeof useShownPreview>;

/** The preview of what is entered. `isStale`: what is shown is about something that was entered before. */
export function useShownPreview(importId: string, edits: Edits | null) {
  const entered = JSON.stringify(edits);
  const [asked] = useDebouncedValue(entered, typingPauseMs);
  const reading = useEditPreview(importId, JSON.parse(asked) as Edits | null);
  const isOld = asked !== entered || reading.isPlaceholderData || reading.isFetching;
  return {
    data: edits === null ? undefined : reading.data,
    error: isOld ? null : reading.error,
    isStale: edits !== null && isOld,
    retry: () => void reading.refetch(),
  };
}
