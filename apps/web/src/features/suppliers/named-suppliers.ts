import { useQuery } from '@tanstack/react-query';
import { readOf } from '../../api/read.ts';

const freshMs = 30_000;
const none: never[] = [];

/** The suppliers by name, once there are two that screens name; before, none. */
export function useNamedSuppliers() {
  const { data = none } = useQuery({ ...readOf('listSuppliers'), staleTime: freshMs });
  return data.filter(({ isNamed }) => isNamed).length < 2 ? none : data;
}
