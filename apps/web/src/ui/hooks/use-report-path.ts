import { useLocation, useNavigate } from 'react-router';
import { historyPath, importPath, queuePath } from '../../lib/paths.ts';

/** Queue and history show reports with their filter and page, an import's page over its rows. */
export function useReportPath(): (id: string) => string {
  const { pathname, search } = useLocation();
  const showsReports = pathname === queuePath || pathname === historyPath;
  return (id) => {
    const isHere = showsReports || pathname === importPath(id);
    const address = new URLSearchParams(isHere ? search : '');
    address.set('report', id);
    return `${isHere ? pathname : queuePath}?${address}`;
  };
}

export function useOpenReport(id: string): () => void {
  const reportPath = useReportPath();
  const navigate = useNavigate();
  return () => void navigate(reportPath(id), { preventScrollReset: true });
}
