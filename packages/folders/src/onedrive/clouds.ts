export const clouds = ['global', 'us-government', 'us-dod', 'china'] as const;
export type Cloud = (typeof clouds)[number];

/** Hosts from learn.microsoft.com/graph/deployments. The library sends all sign-in requests to `login`. */
const hosts: Record<Cloud, { login: string; graph: string }> = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  'us-government': { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  'us-dod': { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: {
    login: 'https://login.partner.microsoftonline.cn',
    graph: 'https://microsoftgraph.chinacloudapi.cn',
  },
};

export type CloudHosts = {
  login: string;
  graph: string;
  resource: string;
  /** If true, requests to `login` are sent to `graph` instead, because the library accepts only https addresses. */
  simulated: boolean;
};

/** Returns the hosts of a cloud, or those of the simulator. */
export function hostsOfCloud(cloud: Cloud, simulatorUrl: string | null): CloudHosts {
  const { login, graph } = hosts[cloud];
  if (simulatorUrl === null) return { login, graph, resource: graph, simulated: false };
  return { login, graph: new URL(simulatorUrl).origin, resource: graph, simulated: true };
}
