import { uploadFileFields } from '@draftshelf/contract/wire';
import { useQuery } from '@tanstack/react-query';
import { call, readOf } from '../../../api/call.ts';
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

export const useCorrectedImport = (key: string) =>
  useQuery({ ...readOf('findCorrectedImport', { params: { key } }), retry: false });
