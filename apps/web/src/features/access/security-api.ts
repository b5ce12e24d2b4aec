import { useQuery } from '@tanstack/react-query';
import { freshMs, readOf } from '../../api/read.ts';

/** The newest sign-ins and changes, read once per visit. */
const securityRead = () => ({ ...readOf('listSecurityEvents'), staleTime: freshMs });

export function useSecurityEvents() {
  return useQuery(securityRead());
}
