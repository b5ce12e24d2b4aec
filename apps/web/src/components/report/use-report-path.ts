import { useLocation } from 'react-router';
import { queuePath } from '../../lib/paths.ts';

/** Returns a function that makes the path of an import's report. In the queue it keeps filter and page. */
export function useReportPath(): (id: string) => string {
  const { pathname, search } = useLocation();
  return (id) => {
    const address = new URLSearchParams(pathname === queuePath ? search : '');
    address.set('report', id);
    return `${queuePath}?${address}`;
  };
}
