-- Neovim, without anybody at it, edits a game with `regelwerk lsp`: see test_neovim.py, which reads what this writes.
local path, report = vim.env.RULES, {}

local function wait(what, done)
  if not vim.wait(tonumber(vim.env.PATIENCE) * 1000, done, 20) then
    error("waited in vain: " .. what)
  end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, tonumber(vim.env.PATIENCE) * 1000)
  for _, answer in pairs(answers or {}) do
    if answer.error then
      error(method .. ": " .. answer.error.message)
    end
    return answer.result
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"
end

local function find(words)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local column = line:find(words, 1, true)
    if column then
      return number - 1, column - 1
    end
  end
end

local function main()
  vim.cmd("edit " .. vim.fn.fnameescape(path))
  local client = vim.lsp.start_client({ name = "regelwerk", cmd = vim.split(vim.env.SERVER, " "), root_dir = vim.fn.fnamemodify(path, ":h") })
  vim.lsp.buf_attach_client(0, client)
  wait("the server", function()
    return vim.lsp.get_client_by_id(client) and vim.lsp.get_client_by_id(client).initialized
  end)

  -- a fault, its fix
  local row, column = find(vim.env.WORD)
  vim.api.nvim_buf_set_text(0, row, column, row, column + #vim.env.WORD, { vim.env.MISSPELT })
  wait("an error", function()
    return #vim.diagnostic.get(0) > 0
  end)
  local fault = vim.diagnostic.get(0)[1]
  report.fault = { message = fault.message, line = fault.lnum, code = fault.code }
  local position = { line = fault.lnum, character = fault.col }
  local document = { uri = vim.uri_from_bufnr(0) }
  local actions = ask("textDocument/codeAction", {
    textDocument = document,
    range = { start = position, ["end"] = position },
    context = { diagnostics = {} },
  })
  report.fix = actions[1].title
  vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
  wait("no errors", function()
    return #vim.diagnostic.get(0) == 0
  end)
  report.fixed = text()

  -- hover, rename
  local hovered = ask("textDocument/hover", { textDocument = document, position = position })
  report.hover = hovered.contents.value
  local renamed = ask("textDocument/rename", { textDocument = document, position = position, newName = "renamed_by_test" })
  vim.lsp.util.apply_workspace_edit(renamed, "utf-16")
  report.renamed = text()
  wait("no errors after renaming", function()
    return #vim.diagnostic.get(0) == 0
  end)

  -- formatting
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { "", "", "" })
  report.untidy = text()
  local edits = ask("textDocument/formatting", { textDocument = document, options = { tabSize = 4, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, 0, "utf-16")
  report.formatted, report.lines = text(), last
end

local done, fault = xpcall(main, debug.traceback)
if not done then
  report.failed = fault
end
local file = io.open(vim.env.REPORT, "w")
file:write(vim.json and vim.json.encode(report) or vim.fn.json_encode(report))
file:close()
vim.cmd("qall!")
