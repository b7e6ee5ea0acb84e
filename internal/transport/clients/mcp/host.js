// A host of MCP Apps in a page, of @modelcontextprotocol/client and ext-apps: it calls a tool,
// once, and shows the app of it, also after the page is loaded again. Bundled by host.mjs.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

const query = new URLSearchParams(location.search);
const client = new Client({ name: 'host', version: '1' }, { capabilities: { extensions: {
  'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } } });
await client.connect(new StreamableHTTPClientTransport(new URL(query.get('url')),
  { requestInit: { headers: { Authorization: `Bearer ${query.get('token')}` } } }));

const { tools } = await client.listTools();
const tool = tools.find((t) => t.name === 'show_form_guest');
const args = { note: 'from the model' };
const kept = sessionStorage.getItem('result');
const result = kept ? JSON.parse(kept) : await client.callTool({ name: tool.name, arguments: args });
sessionStorage.setItem('result', JSON.stringify(result));

const { contents: [page] } = await client.readResource({ uri: tool._meta.ui.resourceUri });
if (page.mimeType !== 'text/html;profile=mcp-app') throw new Error(page.mimeType);
const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'";
const frame = document.createElement('iframe');
frame.setAttribute('sandbox', 'allow-scripts');
frame.style = 'width: 600px; height: 200px; border: 0';
document.body.append(frame);
const bridge = new AppBridge(client, { name: 'host', version: '1' },
  { openLinks: {}, serverTools: {}, serverResources: {}, updateModelContext: {} }, { hostContext: { theme: 'light' } });
bridge.onsizechange = ({ height }) => { frame.style.height = `${height}px`; };
bridge.onupdatemodelcontext = async ({ content }) => { document.title = content[0].text; return {}; };
bridge.oninitialized = async () => {
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(result);
};
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
frame.srcdoc = page.text.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
