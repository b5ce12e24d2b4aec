import { useLocation } from 'react-router';
import { historyPath, queuePath } from '../../lib/paths.ts';

/** Returns a function that makes the path of an import's report. Queue and history show it with their filter and page. */
export function useReportPath(): (id: string) => string {
  const { pathname, search } = useLocation();
  const showsReports = pathname === queuePath || pathname === historyPath;
  return (id) => {
    const address = new URLSearchParams(showsReports ? search : '');
    address.set('report', id);
    return `${showsReports ? pathname : queuePath}?${address}`;
  };
}
