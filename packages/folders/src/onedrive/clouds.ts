/** Microsoft's clouds; an app registration belongs to one of them. */
export const clouds = ['global', 'us-government', 'us-dod', 'china'] as const;
export type Cloud = (typeof clouds)[number];

/**
 * Where a cloud signs people in and where its files are (learn.microsoft.com/graph/deployments). A cloud's login server
 * has several names; this is the one that the library for signing in prefers, and it sends its requests to no other.
 */
export type GraphHosts = { login: string; graph: string };

const hosts: Record<Cloud, GraphHosts> = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  'us-government': { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  'us-dod': { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: {
    login: 'https://login.partner.microsoftonline.cn',
    graph: 'https://microsoftgraph.chinacloudapi.cn',
  },
};

/** A cloud, or its simulation on this machine. */
export type GraphPlace = GraphHosts & {
  /** Where sign-ins are sent to in place of `login`: the library for signing in takes https addresses only. */
  loginAt: string;
  /** The beginning of the names of permissions. */
  resource: string;
  simulated: boolean;
};

/** The hosts of a cloud. `simulatorUrl`: the simulator is asked instead; null: Microsoft is. */
export function placeOf(cloud: Cloud, simulatorUrl: string | null): GraphPlace {
  const { login, graph } = hosts[cloud];
  if (simulatorUrl === null) return { login, graph, loginAt: login, resource: graph, simulated: false };
  const { origin } = new URL(simulatorUrl);
  return { login, graph: origin, loginAt: origin, resource: graph, simulated: true };
}
