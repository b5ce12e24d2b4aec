import { uploadFileFields } from '@draftshelf/contract/wire';
import { useQuery } from '@tanstack/react-query';
import { call, pollMs, readOf } from '../../../api/call.ts';
import { useCalls } from '../../../ui/feedback/use-call.ts';

export const useCorrectionsUpload = () =>
  useCalls(
    ({ importId, file }: { importId: string; file: File }) => {
      const form = new FormData();
      form.set(uploadFileFields[0], file);
      return call('uploadCorrections', { params: { id: importId }, form });
    },
    () => [],
  );

export const useCorrections = (importId: string, corrections: string) =>
  useQuery({
    ...readOf('readCorrections', { params: { id: importId, corrections } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'comparing' ? pollMs.corrections : false),
  });

export const useCorrectedImport = (key: string) =>
  useQuery({ ...readOf('findCorrectedImport', { params: { key } }), retry: false });
