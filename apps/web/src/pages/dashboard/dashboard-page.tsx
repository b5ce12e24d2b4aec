import { LaterPage, To } from '../../components/placeholder-page.tsx';

export function Component() {
  return (
    <LaterPage title="Dashboard">
      This screen is not built yet: it will hold the statistics, the recent activity and the current work;
      until then the <To path="/queue">Processing Queue</To> shows every import, and you can{' '}
      <To path="/upload">upload a CSV</To>.
    </LaterPage>
  );
}
