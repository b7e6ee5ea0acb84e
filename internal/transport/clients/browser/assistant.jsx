// A thread of @assistant-ui/react with the runtime of @assistant-ui/react-ag-ui. A surface is a
// part of a message, which this page lists; an open form is an interrupt, which it draws by its
// schema.
import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive, useAssistantTool } from '@assistant-ui/react';
import { useAgUiInterrupts, useAgUiRuntime, useAgUiSubmitInterruptResponses } from '@assistant-ui/react-ag-ui';
import { HttpAgent } from '@ag-ui/client';
import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';

const { url, token, thread } = Object.fromEntries(new URLSearchParams(location.search));

const headers = { Authorization: `Bearer ${token}` };

class LimnAgent extends HttpAgent {
  run(input) {
    return super.run({ ...input, forwardedProps: { ...input.forwardedProps, limn_interrupts: true } });
  }
}

const agent = new LimnAgent({ url, threadId: thread, headers });
const stop = () => fetch(`${url}/stop`, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify({ threadId: thread }) });

function Surface({ node }) {
  const list = [node.children ?? []].flat();
  return <div>{node.text ?? node.value ?? node.label}{list.map((child, i) => <Surface key={i} node={child} />)}</div>;
}

const parts = {
  Text: ({ text }) => <p>{text}</p>,
  tools: { by_name: { present: ({ args }) => <section aria-label="surface"><Surface node={args} /></section> } },
};
const Message = () => <MessagePrimitive.Root><MessagePrimitive.Parts components={parts} /></MessagePrimitive.Root>;

function Interrupts() {
  const respond = useAgUiSubmitInterruptResponses();
  return useAgUiInterrupts().map(({ id, message, responseSchema }) => {
    const submit = (e) => {
      e.preventDefault();
      const payload = Object.fromEntries([...new FormData(e.target)].filter(([, value]) => value));
      respond([{ interruptId: id, status: 'resolved', payload }]).catch((error) => console.log(`refused: ${error.message}`));
    };
    return (
      <form key={id} aria-label={message} onSubmit={submit}>
        {Object.entries(responseSchema.properties).map(([name, { title }]) => <label key={name}>{title} <input name={name} /></label>)}
        <button>Submit</button>
      </form>
    );
  });
}

function Tool() {
  useAssistantTool({ toolName: 'pick', description: 'Lets the user pick a colour.',
    parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
    execute: async ({ of }) => { document.title += ` ${of}`; return 'they said: green'; } });
  return null;
}

function Page() {
  const runtime = useAgUiRuntime({ agent });
  const begun = useRef(false);
  useEffect(() => { // Limn keeps the thread: a run with nothing new brings it
    if (!begun.current) runtime.thread.startRun({ parentId: null });
    begun.current = true;
  }, [runtime]);
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages components={{ Message }} />
        <Interrupts />
        <Tool />
        <button onClick={stop}>Stop</button>
        <ComposerPrimitive.Root><ComposerPrimitive.Input aria-label="Message" /><ComposerPrimitive.Send>Send</ComposerPrimitive.Send></ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.getElementById('page')).render(<Page />);
