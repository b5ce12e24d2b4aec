import { useMutation } from '@tanstack/react-query';
import { type CallRequest, call } from '../../../api/call.ts';

type Body = NonNullable<CallRequest<'forgetOwnValues'>['body']>;

/** Forgets a value of the operator. It stays in the lists that were read already. */
export const useForgetting = () =>
  useMutation({
    mutationFn: ({ supplier, body }: { supplier: number; body: Body }) =>
      call('forgetOwnValues', { params: { id: supplier }, body }),
  });
