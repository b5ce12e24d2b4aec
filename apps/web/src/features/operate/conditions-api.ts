import { useQuery } from '@tanstack/react-query';
import { freshMs, readOf } from '../../api/read.ts';

const pollMs = 15_000;

/** The conditions of the installation that somebody should look after. */
export function useConditions() {
  return useQuery({ ...readOf('listConditions'), staleTime: freshMs, refetchInterval: pollMs });
}
