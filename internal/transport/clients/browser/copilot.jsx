// A chat of @copilotkit/react-core with the surfaces of @copilotkit/a2ui-renderer.
import { CopilotChat, CopilotKitProvider, createA2UIMessageRenderer } from '@copilotkit/react-core/v2';
import { HttpAgent } from '@ag-ui/client';
import { createRoot } from 'react-dom/client';

const { url, token, thread } = Object.fromEntries(new URLSearchParams(location.search));

// Limn keeps the thread: to connect is a run with nothing new.
class LimnAgent extends HttpAgent {
  connect(input) {
    return this.run({ ...input, messages: [] });
  }
}

const agent = new LimnAgent({ url, threadId: thread, headers: { Authorization: `Bearer ${token}` } });
const agents = { default: agent };
const surfaces = [createA2UIMessageRenderer({ theme: {} })];

createRoot(document.getElementById('page')).render(
  <CopilotKitProvider agents__unsafe_dev_only={agents} renderActivityMessages={surfaces}>
    <CopilotChat threadId={thread} />
  </CopilotKitProvider>,
);
