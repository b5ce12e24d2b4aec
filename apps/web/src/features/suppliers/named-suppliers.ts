import { useQuery } from '@tanstack/react-query';
import { readOf } from '../../api/read.ts';

const freshMs = 30_000;
const none: never[] = [];

const useSuppliers = () => useQuery({ ...readOf('listSuppliers'), staleTime: freshMs }).data ?? none;

/** Named, or with a second list. */
export const useHasNamedSupplier = (): boolean => useSuppliers().some(({ isNamed }) => isNamed);

/** None until screens name two suppliers. */
export function useNamedSuppliers() {
  const data = useSuppliers();
  return data.filter(({ isNamed }) => isNamed).length < 2 ? none : data;
}
