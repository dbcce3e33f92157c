"""The server as the SDK knows it: what it lists, and how it answers a call.

This module imports the SDK, which takes about a second: `stdio.py` does so in a thread while it answers `initialize`.
What is listed and answered is left to `catalogue.py`, `calls.py` and `pages.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from keel import __version__
from keel.surfaces.mcp import pages
from keel.surfaces.mcp.calls import Answer, Asking, Call
from keel.surfaces.mcp.catalogue import INSTRUCTIONS, Tool, entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.context import ServerRequestContext

NAME = "keel"
AT_ONCE = 4
"""Calls that are answered at a time: more would only take turns with the interpreter, and none would be done sooner."""
PAUSE = 0.2
"""Seconds between two reports of progress."""
MAX_WAIT = 30.0
"""Seconds that a client is made to wait: most give up after a minute."""


def server_of(asking: Asking, tools: Mapping[str, Tool]) -> Server[Any]:
    """A server that offers these tools."""
    entries = [entry(tool) for tool in tools.values()]
    listed = types.ListToolsResult(tools=[types.Tool.model_validate(one) for one in entries])
    schemas = {one["name"]: one["inputSchema"] for one in entries}
    limiter: list[anyio.CapacityLimiter] = []  # made within the loop, which it belongs to

    async def list_tools(context: ServerRequestContext[Any], params: object) -> types.ListToolsResult:
        return listed

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            known = ", ".join(tools)
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:100]}. There are {known}")
        if not limiter:
            limiter.append(anyio.CapacityLimiter(AT_ONCE))
        return _carried(await _answered(asking, tool, params.arguments or {}, context, limiter[0]))

    async def list_resources(context: ServerRequestContext[Any], params: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(uri=page.uri, name=page.code, description=page.title, mime_type=pages.PLAIN_TEXT)
                for page in pages.pages().values()
            ]
        )

    async def read_resource(
        context: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        page = pages.pages().get(str(params.uri))
        if page is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown resource: {str(params.uri)[:100]}")
        text = types.TextResourceContents(uri=page.uri, mime_type=pages.PLAIN_TEXT, text=page.text)
        return types.ReadResourceResult(contents=[text])

    async def list_prompts(context: ServerRequestContext[Any], params: object) -> types.ListPromptsResult:
        prompt = types.Prompt(name=pages.PROMPT, title=pages.PROMPT_TITLE, description=pages.PROMPT_SAID)
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(
        context: ServerRequestContext[Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        if params.name != pages.PROMPT:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name[:100]}. There is {pages.PROMPT}")
        said = types.PromptMessage(role="user", content=types.TextContent(type="text", text=pages.PROMPT_TEXT))
        return types.GetPromptResult(description=pages.PROMPT_SAID, messages=[said])

    return Server(
        NAME,
        version=__version__,
        title=NAME,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        get_tool_input_schema=schemas.get,
    )


async def _answered(
    asking: Asking,
    tool: Tool,
    arguments: Mapping[str, object],
    context: ServerRequestContext[Any],
    limiter: anyio.CapacityLimiter,
) -> Answer:
    """Runs the call in a thread, and reports its progress.

    When the client cancels the call, the thread is asked to end. When it takes too long, that is the answer, and the
    thread goes on, so that the next call finds its work done.
    """
    call = Call()
    answer: Answer | None = None
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_report, call, context)
            with anyio.move_on_after(MAX_WAIT):
                answer = await anyio.to_thread.run_sync(
                    asking.answer, tool, arguments, call, abandon_on_cancel=True, limiter=limiter
                )
            group.cancel_scope.cancel()
    except anyio.get_cancelled_exc_class():
        call.is_cancelled.set()
        raise
    return answer or asking.unfinished(tool, call, MAX_WAIT)


async def _report(call: Call, context: ServerRequestContext[Any]) -> None:
    told = call.stage
    while True:
        await anyio.sleep(PAUSE)
        if call.stage != told:
            told = call.stage
            stage, done, total = told
            await context.session.report_progress(done, total or None, f"{stage} {done:,} of {total:,}")


def _carried(answer: Answer) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        structured_content=answer.content,
        is_error=answer.is_error,
    )
