// Promise: both headers serve C++ alone and as they are. Compiles a program, loads it, and compares a point, an
// array and a grid. Prints "fine" if they agree.
#include <noisec.h>
#include <noisert.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

struct FreeModule { void operator()(nz_module *m) const { nz_free_module(m); } };
struct FreeProgram { void operator()(nz_program *p) const { nz_free_program(p); } };

int fail(const char *what)
{
	std::printf("%s\n", what);
	return 1;
}

} // namespace

int main()
{
	const char text[] = "param feature = 64 in 1 .. 1000\ninput wet in 0 .. 1\n"
		"output height = perlin() |> octaves(5) |> scale(1 / feature)\noutput both: vec2 = vec2(height, wet)\n";
	nz_compile_options options = {};
	nz_emit_options emit = {};
	nz_module *raw = nullptr;
	options.optimise = 2;
	nz_status status = nz_compile_module("hills.noise", text, sizeof text - 1, &options, &raw);
	std::unique_ptr<nz_module, FreeModule> module(raw);
	if (status != NZ_OK)
		return fail(nz_get_diagnostics(module.get()));
	const char *data = nullptr;
	std::size_t size = 0;
	if (nz_emit_target(module.get(), &emit, &data, &size) != NZ_OK || std::strstr(data, "hills_eval") == nullptr)
		return fail("no shader");
	emit.target = "program";
	if (nz_emit_target(module.get(), &emit, &data, &size) != NZ_OK)
		return fail("no program");
	nz_program *loaded = nullptr;
	const char *why = nullptr;
	if (nz_load_program(data, size, nullptr, &loaded, &why) != NZ_OK)
		return fail(why);
	std::unique_ptr<nz_program, FreeProgram> program(loaded);
	std::vector<unsigned char> memory(nz_measure_evaluator(program.get(), 0));
	nz_evaluator *evaluator = nullptr;
	if (nz_place_evaluator(program.get(), 0, memory.data(), memory.size(), &evaluator) != NZ_OK)
		return fail("no evaluator");
	nz_word feature;
	feature.f = 100.0f;
	if (nz_set_param(evaluator, nz_find_param(program.get(), "feature"), &feature) != NZ_OK)
		return fail(nz_status_text(NZ_ERROR_ARGUMENT));
	nz_set_seed(evaluator, 7);

	nz_value out[2], in[1] = {};
	in[0].word[0].f = 0.5f;
	const float position[2] = { 12.5f, -3.0f };
	if (nz_evaluate_point(evaluator, position, in, out) != NZ_OK || out[1].word[1].f != 0.5f)
		return fail("the point is wrong");
	float x[1] = { position[0] }, y[1] = { position[1] }, height[1], first[4], second[4];
	const float *axis[2] = { x, y };
	nz_input_data inputs[1] = {};
	nz_output_data outputs[2] = {};
	outputs[0].array[0] = height;
	if (nz_evaluate_points(evaluator, 1, axis, inputs, outputs) != NZ_OK || height[0] != out[0].word[0].f)
		return fail("the array is wrong");
	nz_grid grid = {};
	grid.origin[0] = 12.5;
	grid.origin[1] = -3;
	grid.step[0] = grid.step[1] = 1;
	grid.size[0] = grid.size[1] = 2;
	outputs[0].array[0] = first;
	outputs[1].array[0] = second;
	if (nz_evaluate_grid(evaluator, &grid, nullptr, outputs) != NZ_OK || first[0] != height[0] || second[3] != first[3])
		return fail("the grid is wrong");
	if (nz_get_version() != NZ_VERSION)
		return fail("the version is wrong");
	std::printf("fine\n");
	return 0;
}
