// A chat of @copilotkit/react-core with the surfaces of @copilotkit/a2ui-renderer.
import { CopilotChat, CopilotKitProvider, createA2UIMessageRenderer, useFrontendTool } from '@copilotkit/react-core/v2';
import { HttpAgent } from '@ag-ui/client';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';

const { url, token, thread } = Object.fromEntries(new URLSearchParams(location.search));

const headers = { Authorization: `Bearer ${token}` };

// Limn keeps the thread: to connect is a run with nothing new, and a run goes on until it is
// stopped there.
class LimnAgent extends HttpAgent {
  connect(input) {
    return this.run({ ...input, messages: [] });
  }

  abortRun() {
    fetch(`${url}/stop`, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify({ threadId: thread }) });
  }
}

const agent = new LimnAgent({ url, threadId: thread, headers });
const agents = { default: agent };
const surfaces = [createA2UIMessageRenderer({ theme: {} })];

function Page() {
  useFrontendTool({ name: 'pick', description: 'Lets the user pick a colour.', parameters: z.object({ of: z.string() }),
    handler: async ({ of }) => { document.title += ` ${of}`; return 'they said: green'; } });
  return <CopilotChat threadId={thread} />;
}

createRoot(document.getElementById('page')).render(
  <CopilotKitProvider agents__unsafe_dev_only={agents} renderActivityMessages={surfaces}>
    <Page />
  </CopilotKitProvider>,
);
